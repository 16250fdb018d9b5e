# frozen_string_literal: true

require "rails_helper"

RSpec.describe "Books", type: :request do
  # sedum:anchor:examples
  # sedum:addRequestSpec:index {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"operation":"index","resource":"books"}}

  describe "GET index" do
    it "answers with the list" do
      get books_path

      expect(response).to have_http_status(:ok)
      expect(response.parsed_body).to eq([])
    end
  end
  # /sedum:addRequestSpec:index
  # sedum:addRequestSpec:show {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"attributes":"title: \"Emma\", isbn: \"9780141439587\", pages: 474, condition: \"good\"","operation":"show","resource":"books"}}

  describe "GET show" do
    it "answers with the one asked for" do
      book = Book.create!(title: "Emma", isbn: "9780141439587", pages: 474, condition: "good")

      get book_path(book)

      expect(response).to have_http_status(:ok)
      expect(response.parsed_body).to include("id" => book.id)
    end
  end
  # /sedum:addRequestSpec:show
  # sedum:addRequestSpec:create {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"attributes":"title: \"Emma\", isbn: \"9780141439587\", pages: 474, condition: \"good\"","operation":"create","resource":"books"}}

  describe "POST create" do
    it "stores a valid one" do
      expect do
        post books_path, params: { book: { title: "Emma", isbn: "9780141439587", pages: 474, condition: "good" } }, as: :json
      end.to change(Book, :count).by(1)

      expect(response).to have_http_status(:created)
    end
  end
  # /sedum:addRequestSpec:create
  # sedum:addPendingExample {"tier":"seeded","record":"prov-2026-rails0001","kwargs":{"behaviour":"refuses a second book with the same ISBN","resource":"books"}}

  it "refuses a second book with the same ISBN"
  # /sedum:addPendingExample
end
