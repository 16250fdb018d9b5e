  belongs_to :{{name|record}}
