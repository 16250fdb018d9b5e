# frozen_string_literal: true

class ApplicationController < ActionController::API
  # sedum:anchor:error_answers
end
