  validates :{{attribute|snake}}, presence: true
