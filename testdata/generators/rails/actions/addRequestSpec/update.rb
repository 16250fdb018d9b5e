
  describe "PATCH update" do
    it "accepts valid attributes" do
      {{resource|record}} = {{resource|constantize}}.create!({{attributes}})

      patch {{resource|record_path}}({{resource|record}}), params: { {{resource|record}}: { {{attributes}} } }, as: :json

      expect(response).to have_http_status(:ok)
    end
  end
