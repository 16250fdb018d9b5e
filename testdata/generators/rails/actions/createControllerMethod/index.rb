
  def index
    {{collection|tablename}} = {{collection|constantize}}.order(:id)

    render json: {{collection|constantize}}Serializer.new({{collection|tablename}}).serialize
  end
