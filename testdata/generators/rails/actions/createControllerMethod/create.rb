
  def create
    {{collection|record}} = {{collection|constantize}}.new({{collection|record_params}})

    if {{collection|record}}.save
      render json: {{collection|constantize}}Serializer.new({{collection|record}}).serialize, status: :created
    else
      render json: { errors: {{collection|record}}.errors }, status: :unprocessable_entity
    end
  end
