
  describe "POST create" do
    it "stores a valid one" do
      expect do
        post {{resource|collection_path}}, params: { {{resource|record}}: { {{attributes}} } }, as: :json
      end.to change({{resource|constantize}}, :count).by(1)

      expect(response).to have_http_status(:created)
    end
  end
