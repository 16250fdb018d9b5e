# frozen_string_literal: true

class BooksController < ApplicationController
  # sedum:anchor:class_body_top
  # sedum:declareGuard {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"controller":"books","guard":"require_librarian","only":["update","destroy"]}}
  before_action :require_librarian, only: [:update, :destroy]
  # /sedum:declareGuard

  # sedum:anchor:class_body
  # sedum:createControllerMethod:index {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"collection":"books","controller":"books","name":"index"}}

  def index
    books = Book.order(:id)

    render json: BookSerializer.new(books).serialize
  end
  # /sedum:createControllerMethod:index
  # sedum:createControllerMethod:show {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"collection":"books","controller":"books","name":"show"}}

  def show
    book = Book.find(params[:id])

    render json: BookSerializer.new(book).serialize
  end
  # /sedum:createControllerMethod:show
  # sedum:createControllerMethod:create {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"collection":"books","controller":"books","name":"create"}}

  def create
    book = Book.new(book_params)

    if book.save
      render json: BookSerializer.new(book).serialize, status: :created
    else
      render json: { errors: book.errors }, status: :unprocessable_entity
    end
  end
  # /sedum:createControllerMethod:create
  # sedum:createControllerMethod:update {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"collection":"books","controller":"books","name":"update"}}

  def update
    book = Book.find(params[:id])

    if book.update(book_params)
      render json: BookSerializer.new(book).serialize
    else
      render json: { errors: book.errors }, status: :unprocessable_entity
    end
  end
  # /sedum:createControllerMethod:update
  # sedum:createControllerMethod:destroy {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"collection":"books","controller":"books","name":"destroy"}}

  def destroy
    Book.find(params[:id]).destroy!

    head :no_content
  end
  # /sedum:createControllerMethod:destroy

  private

  # sedum:anchor:private_methods
  # sedum:permitParams {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"attributes":["title","isbn","pages","condition"],"controller":"books","model":"book"}}

  def book_params
    params.require(:book).permit(:title, :isbn, :pages, :condition)
  end
  # /sedum:permitParams
  # sedum:defineGuard {"tier":"seeded","record":"prov-2026-rails0001","kwargs":{"controller":"books","guard":"require_librarian"}}

  # Refuses every request until somebody writes the check.
  def require_librarian
    head :forbidden
  end
  # /sedum:defineGuard
end
