
  # Refuses every request until somebody writes the check.
  def {{guard|snake}}
    head :forbidden
  end
