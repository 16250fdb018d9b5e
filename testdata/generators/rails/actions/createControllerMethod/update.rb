
  def update
    {{collection|record}} = {{collection|constantize}}.find(params[:id])

    if {{collection|record}}.update({{collection|record_params}})
      render json: {{collection|constantize}}Serializer.new({{collection|record}}).serialize
    else
      render json: { errors: {{collection|record}}.errors }, status: :unprocessable_entity
    end
  end
