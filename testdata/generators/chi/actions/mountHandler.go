	r.Mount("{{entity|routepath}}", {{entity|handler}}{store: stores.{{entity|collection}}}.routes())
