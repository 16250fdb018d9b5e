
  def show
    {{collection|record}} = {{collection|constantize}}.find(params[:id])

    render json: {{collection|constantize}}Serializer.new({{collection|record}}).serialize
  end
