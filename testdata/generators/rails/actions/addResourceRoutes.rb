  resources :{{resource|tablename}}, only: [:{{only|join:, :}}]
