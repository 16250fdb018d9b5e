  attributes :{{attributes|join:, :}}
