  validates :{{attribute|snake}}, length: { maximum: {{maximum}} }
