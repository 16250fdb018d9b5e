  before_action :{{guard|snake}}, only: [:{{only|join:, :}}]
