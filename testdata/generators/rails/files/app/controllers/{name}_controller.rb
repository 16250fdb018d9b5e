# frozen_string_literal: true

class {{name|pascal}}Controller < ApplicationController
  # sedum:anchor:class_body_top

  # sedum:anchor:class_body

  private

  # sedum:anchor:private_methods
end
