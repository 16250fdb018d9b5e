		{{entity|collection}}: New{{entity|typename}}Store(),
