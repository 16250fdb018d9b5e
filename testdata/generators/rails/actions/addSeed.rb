{{model|constantize}}.find_or_create_by!({{attributes}})
