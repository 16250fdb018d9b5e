  validates :{{attribute|snake}}, numericality: { greater_than_or_equal_to: {{minimum}} }
