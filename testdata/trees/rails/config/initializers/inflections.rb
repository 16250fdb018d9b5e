# frozen_string_literal: true

# With these the autoloader expects APIKey, not ApiKey, in app/models/api_key.rb.
ActiveSupport::Inflector.inflections(:en) do |inflect|
  inflect.acronym "API"
  inflect.acronym "URL"
end
