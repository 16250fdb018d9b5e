# frozen_string_literal: true

Rails.application.routes.draw do
  # Answers 200 while the application boots without exceptions, for load balancers and uptime monitors.
  get "up" => "rails/health#show", as: :rails_health_check

  # sedum:anchor:routes_begin
  # sedum:anchor:routes_end
end
