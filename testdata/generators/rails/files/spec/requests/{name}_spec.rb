# frozen_string_literal: true

require "rails_helper"

RSpec.describe "{{name|pascal}}", type: :request do
  # sedum:anchor:examples
end
