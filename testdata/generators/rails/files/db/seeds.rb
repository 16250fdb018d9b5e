# frozen_string_literal: true

# Rows that every development database starts with. Loading this file again adds nothing twice.
