	{{entity|collection}} *{{entity|typename}}Store
