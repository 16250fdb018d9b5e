  has_many :{{name|tablename}}, dependent: :{{dependent}}
