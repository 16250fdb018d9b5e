# frozen_string_literal: true

class CreateAPIKeys < ActiveRecord::Migration[7.2]
  def change
    create_table :api_keys do |t|
      # sedum:anchor:columns
      # sedum:addColumn:string {"tier":"owned","record":"prov-2026-rails0002","kwargs":{"file":"db/migrate/20260120110000_create_api_keys.rb","name":"name","nullable":false,"type":"string"}}
      t.string :name, null: false
      # /sedum:addColumn:string
      # sedum:addColumn:string {"tier":"owned","record":"prov-2026-rails0002","kwargs":{"file":"db/migrate/20260120110000_create_api_keys.rb","name":"token","nullable":false,"type":"string"}}
      t.string :token, null: false
      # /sedum:addColumn:string
      # sedum:addColumn:string {"tier":"owned","record":"prov-2026-rails0002","kwargs":{"file":"db/migrate/20260120110000_create_api_keys.rb","name":"client_url","nullable":true,"type":"string"}}
      t.string :client_url, null: true
      # /sedum:addColumn:string
      # sedum:addColumn:boolean {"tier":"owned","record":"prov-2026-rails0002","kwargs":{"file":"db/migrate/20260120110000_create_api_keys.rb","name":"revoked","nullable":false,"type":"boolean"}}
      t.boolean :revoked, null: false
      # /sedum:addColumn:boolean

      t.timestamps
    end

    # sedum:anchor:indexes
    # sedum:addIndex {"tier":"owned","record":"prov-2026-rails0002","kwargs":{"columns":["token"],"file":"db/migrate/20260120110000_create_api_keys.rb","table":"api_keys","unique":true}}
    add_index :api_keys, [:token], unique: true
    # /sedum:addIndex
  end
end
