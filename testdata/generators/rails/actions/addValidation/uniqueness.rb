  validates :{{attribute|snake}}, uniqueness: true
