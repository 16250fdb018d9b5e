# frozen_string_literal: true

class APIKey < ApplicationRecord
  # sedum:anchor:associations

  # sedum:anchor:validations
  # sedum:addValidation:presence {"tier":"owned","record":"prov-2026-rails0002","kwargs":{"attribute":"name","model":"api_key","rule":"presence"}}
  validates :name, presence: true
  # /sedum:addValidation:presence
  # sedum:addValidation:presence {"tier":"owned","record":"prov-2026-rails0002","kwargs":{"attribute":"token","model":"api_key","rule":"presence"}}
  validates :token, presence: true
  # /sedum:addValidation:presence
  # sedum:addValidation:uniqueness {"tier":"owned","record":"prov-2026-rails0002","kwargs":{"attribute":"token","model":"api_key","rule":"uniqueness"}}
  validates :token, uniqueness: true
  # /sedum:addValidation:uniqueness

  # sedum:anchor:scopes

  # sedum:anchor:class_body
  # sedum:addModelMethod {"tier":"seeded","record":"prov-2026-rails0002","kwargs":{"model":"api_key","name":"usable?"}}

  def usable?
    raise NotImplementedError, "APIKey#usable? is not written yet"
  end
  # /sedum:addModelMethod
end
