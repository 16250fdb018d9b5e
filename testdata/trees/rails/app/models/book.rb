# frozen_string_literal: true

class Book < ApplicationRecord
  # sedum:anchor:associations

  # sedum:anchor:validations
  # sedum:addValidation:presence {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"attribute":"title","model":"book","rule":"presence"}}
  validates :title, presence: true
  # /sedum:addValidation:presence
  # sedum:addValidation:length {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"attribute":"title","maximum":200,"model":"book","rule":"length"}}
  validates :title, length: { maximum: 200 }
  # /sedum:addValidation:length
  # sedum:addValidation:presence {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"attribute":"isbn","model":"book","rule":"presence"}}
  validates :isbn, presence: true
  # /sedum:addValidation:presence
  # sedum:addValidation:uniqueness {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"attribute":"isbn","model":"book","rule":"uniqueness"}}
  validates :isbn, uniqueness: true
  # /sedum:addValidation:uniqueness
  # sedum:addValidation:numericality {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"attribute":"pages","minimum":1,"model":"book","rule":"numericality"}}
  validates :pages, numericality: { greater_than_or_equal_to: 1 }
  # /sedum:addValidation:numericality
  # sedum:addValidation:inclusion {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"attribute":"condition","model":"book","rule":"inclusion","values":["new","good","worn"]}}
  validates :condition, inclusion: { in: ["new", "good", "worn"] }
  # /sedum:addValidation:inclusion

  # sedum:anchor:scopes
  # sedum:addScope {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"model":"book","name":"recent","query":"order(created_at: :desc)"}}
  scope :recent, -> { order(created_at: :desc) }
  # /sedum:addScope

  # sedum:anchor:class_body
end
