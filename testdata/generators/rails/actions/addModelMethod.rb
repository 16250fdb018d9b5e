
  def {{name|snake}}
    raise NotImplementedError, "{{model|constantize}}#{{name|snake}} is not written yet"
  end
