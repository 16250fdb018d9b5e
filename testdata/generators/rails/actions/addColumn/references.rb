      t.references :{{name|record}}, null: {{nullable}}, foreign_key: true
