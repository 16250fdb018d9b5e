# frozen_string_literal: true

class {{name|pascal}}Serializer
  include Alba::Resource

  # sedum:anchor:attributes

  # sedum:anchor:nested
end
