  validates :{{attribute|snake}}, {{rule|snake}}: true
