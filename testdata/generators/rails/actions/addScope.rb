  scope :{{name|snake}}, -> { {{query}} }
