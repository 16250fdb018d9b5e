
  def destroy
    {{collection|constantize}}.find(params[:id]).destroy!

    head :no_content
  end
