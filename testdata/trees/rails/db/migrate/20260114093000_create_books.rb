# frozen_string_literal: true

class CreateBooks < ActiveRecord::Migration[7.2]
  def change
    create_table :books do |t|
      # sedum:anchor:columns
      # sedum:addColumn:string {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"file":"db/migrate/20260114093000_create_books.rb","name":"title","nullable":false,"type":"string"}}
      t.string :title, null: false
      # /sedum:addColumn:string
      # sedum:addColumn:string {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"file":"db/migrate/20260114093000_create_books.rb","name":"isbn","nullable":false,"type":"string"}}
      t.string :isbn, null: false
      # /sedum:addColumn:string
      # sedum:addColumn:integer {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"file":"db/migrate/20260114093000_create_books.rb","name":"pages","nullable":false,"type":"integer"}}
      t.integer :pages, null: false
      # /sedum:addColumn:integer
      # sedum:addColumn:string {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"file":"db/migrate/20260114093000_create_books.rb","name":"condition","nullable":false,"type":"string"}}
      t.string :condition, null: false
      # /sedum:addColumn:string

      t.timestamps
    end

    # sedum:anchor:indexes
    # sedum:addIndex {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"columns":["isbn"],"file":"db/migrate/20260114093000_create_books.rb","table":"books","unique":true}}
    add_index :books, [:isbn], unique: true
    # /sedum:addIndex
    # sedum:addIndex {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"columns":["condition","created_at"],"file":"db/migrate/20260114093000_create_books.rb","table":"books","unique":false}}
    add_index :books, [:condition, :created_at], unique: false
    # /sedum:addIndex
  end
end
