
  describe "DELETE destroy" do
    it "removes the one asked for" do
      {{resource|record}} = {{resource|constantize}}.create!({{attributes}})

      expect { delete {{resource|record_path}}({{resource|record}}) }.to change({{resource|constantize}}, :count).by(-1)

      expect(response).to have_http_status(:no_content)
    end
  end
