# frozen_string_literal: true

Rails.application.routes.draw do
  # Answers 200 while the application boots without exceptions, for load balancers and uptime monitors.
  get "up" => "rails/health#show", as: :rails_health_check

  # sedum:anchor:routes_begin
  # sedum:addResourceRoutes {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"only":["index","show","create","update","destroy"],"resource":"books"}}
  resources :books, only: [:index, :show, :create, :update, :destroy]
  # /sedum:addResourceRoutes
  # sedum:anchor:routes_end
end
