# frozen_string_literal: true

class Create{{table|pascal}} < ActiveRecord::Migration[{{rails_version}}]
  def change
    create_table :{{table|snake}} do |t|
      # sedum:anchor:columns

      t.timestamps
    end

    # sedum:anchor:indexes
  end
end
