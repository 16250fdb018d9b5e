
  describe "GET show" do
    it "answers with the one asked for" do
      {{resource|record}} = {{resource|constantize}}.create!({{attributes}})

      get {{resource|record_path}}({{resource|record}})

      expect(response).to have_http_status(:ok)
      expect(response.parsed_body).to include("id" => {{resource|record}}.id)
    end
  end
