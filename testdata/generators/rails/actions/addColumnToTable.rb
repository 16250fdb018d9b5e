    add_column :{{table|tablename}}, :{{name|snake}}, :{{type|snake}}
