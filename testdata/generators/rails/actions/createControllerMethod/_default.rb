
  def {{name|snake}}
    head :not_implemented
  end
