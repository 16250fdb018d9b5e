  has_one :{{name|record}}, dependent: :{{dependent}}
