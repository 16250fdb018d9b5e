
  describe "GET index" do
    it "answers with the list" do
      get {{resource|collection_path}}

      expect(response).to have_http_status(:ok)
      expect(response.parsed_body).to eq([])
    end
  end
