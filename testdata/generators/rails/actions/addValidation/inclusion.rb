  validates :{{attribute|snake}}, inclusion: { in: ["{{values|join:", "}}"] }
