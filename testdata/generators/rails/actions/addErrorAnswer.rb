  rescue_from {{exception}} do |error|
    render json: { error: error.message }, status: :{{status}}
  end
