
  def {{model|record_params}}
    params.require(:{{model|record}}).permit(:{{attributes|join:, :}})
  end
