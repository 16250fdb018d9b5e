	t.Run("{{name|snake}}", func(t *testing.T) {
		cases := []struct {
			body string
			want int
		}{{{{
			body: `{{body}}`,
			want: {{status}},
		}}

		for _, c := range cases {
			if got := ask{{entity|typename}}Handler("{{verb|upper}}", "{{path}}", c.body); got != c.want {
				t.Errorf("body %s: status = %d, want %d", c.body, got, c.want)
			}
		}
	})
