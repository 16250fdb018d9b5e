# frozen_string_literal: true

class Add{{change|pascal}}To{{table|pascal}} < ActiveRecord::Migration[{{rails_version}}]
  def change
    # sedum:anchor:table_changes

    # sedum:anchor:indexes
  end
end
