    add_index :{{table|tablename}}, [:{{columns|join:, :}}], unique: {{unique}}
