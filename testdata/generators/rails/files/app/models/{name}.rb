# frozen_string_literal: true

class {{name|pascal}} < ApplicationRecord
  # sedum:anchor:associations

  # sedum:anchor:validations

  # sedum:anchor:scopes

  # sedum:anchor:class_body
end
