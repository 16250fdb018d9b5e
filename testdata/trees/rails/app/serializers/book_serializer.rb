# frozen_string_literal: true

class BookSerializer
  include Alba::Resource

  # sedum:anchor:attributes
  # sedum:addSerializedFields {"tier":"owned","record":"prov-2026-rails0001","kwargs":{"attributes":["id","title","isbn","pages","condition"],"model":"book"}}
  attributes :id, :title, :isbn, :pages, :condition
  # /sedum:addSerializedFields

  # sedum:anchor:nested
end
