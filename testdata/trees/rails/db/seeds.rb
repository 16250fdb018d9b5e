# frozen_string_literal: true

# Rows that every development database starts with. Loading this file again adds nothing twice.
# sedum:addSeed {"tier":"owned","record":"prov-2026-rails0002","kwargs":{"attributes":"name: \"development\", token: \"development-only\", revoked: false","model":"api_key"}}
APIKey.find_or_create_by!(name: "development", token: "development-only", revoked: false)
# /sedum:addSeed
